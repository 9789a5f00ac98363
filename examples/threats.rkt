#lang racket/base
;; Wins if it can. Otherwise it makes threats, which are columns in which it could win next, and
;; gives the opponent none. It could look further ahead: two threats at the same time win.
;;
;;   c4-referee match "racket examples/threats.rkt" "c4-bot --plays random" --games 10
(require json racket/function racket/list racket/match racket/string)

;; A board is a list of columns, each from the top; 0 is an empty cell.

;; Returns the columns that are not full, those in the middle first.
(define (free-columns board)
  (define middle (/ (sub1 (length board)) 2))
  (sort (indexes-where board (lambda (column) (zero? (first column))))
        < #:key (lambda (x) (abs (- x middle)))))

(define (play board x player)
  (define-values (empty stones) (splitf-at (list-ref board x) zero?))
  (list-set board x (append (rest empty) (list player) stones)))

;; Returns whether the player has a line. All columns are put into one vector, with a wall between
;; them. The stones of a line are there at equal distances.
(define (won? board player connect)
  (define cells (list->vector (append* (add-between board '((wall))))))
  (define height (length (first board)))
  (for*/or ([step (list 1 height (+ height 1) (+ height 2))]
            [start (in-range (- (vector-length cells) (* step (sub1 connect))))])
    (for/and ([i connect])
      (eqv? (vector-ref cells (+ start (* step i))) player))))

;; Counts the columns in which the player would win.
(define (threats board player connect)
  (count (lambda (x) (won? (play board x player) player connect)) (free-columns board)))

;; Returns the best column, counting from 0.
(define (choose board me connect)
  (define (worth x)
    (define after (play board x me))
    (cond [(won? after me connect) +inf.0]
          [(positive? (threats after (- 3 me) connect)) -1]
          [else (threats after me connect)]))
  (argmax worth (free-columns board)))

;; Returns our number, 1 or 2: from the line, from the command line, or from the stones.
(define (own-number precept)
  (define cells (flatten (hash-ref precept 'grid)))
  (match* (precept (current-command-line-arguments))
    [((hash-table ['player player] _ ...) _) player]
    [(_ (vector _ ... "--player" player _ ...)) (string->number player)]
    [(_ _) (if (<= (count (curry = 1) cells) (count (curry = 2) cells)) 1 2)]))

(for ([line (in-lines (current-input-port) 'any)]
      #:break (string=? (string-trim line) ":exit")
      #:when (string-contains? line "{")) ; not a blank line
  (define precept (string->jsexpr (first (regexp-match #rx"{.*" line)))) ; without a byte order mark
  (define move (choose (hash-ref precept 'grid) (own-number precept) (hash-ref precept 'connect 4)))
  (write-json (hasheq 'move move))
  (newline)
  (flush-output)) ; without this the answer waits in a buffer
