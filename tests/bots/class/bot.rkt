#lang racket/base
;; Plays the free column nearest to an edge.
(require json racket/list racket/string)

(define (rank x w) (- (abs (- (* 2 x) (sub1 w)))))

(for ([line (in-lines (current-input-port) 'any)]
      #:break (string=? (string-trim line) ":exit")
      #:when (string-contains? line "{"))
  (define grid (hash-ref (string->jsexpr (first (regexp-match #rx"{.*" line))) 'grid))
  (define free (indexes-where grid (lambda (column) (zero? (first column)))))
  (write-json (hasheq 'move (argmin (lambda (x) (rank x (length grid))) free)))
  (newline)
  (flush-output))
