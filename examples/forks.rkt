#lang racket/base
;; Wins or stops a win if it can. Otherwise it makes as many threats as it can: cells with which it
;; wins. It never gives a win away if there is another move. Two threats at once win: look for them.
;;
;;   c4-referee match "racket examples/forks.rkt" "c4-bot --plays random" --games 10
(require json racket/list racket/match racket/string)

;; A board is a list of columns, each from the top; 0 is an empty cell.
(define (height-of column) (index-where (append column '(#f)) (lambda (cell) (not (eqv? cell 0)))))
(define (free board) (for/list ([column board] [x (in-naturals)] #:when (eqv? 0 (first column))) x))
(define directions '((1 0) (0 1) (1 1) (1 -1)))

(define (cell board x y)
  (and (< -1 x (length board)) (< -1 y (length (first board))) (list-ref (list-ref board x) y)))

;; Returns the row to which a stone in a column falls.
(define (landing board x) (sub1 (length (takef (list-ref board x) zero?))))

;; Counts the player's stones in a row, starting beside a cell.
(define (stones board player x y dx dy)
  (if (eqv? player (cell board (+ x dx) (+ y dy)))
      (add1 (stones board player (+ x dx) (+ y dy) dx dy))
      0))
