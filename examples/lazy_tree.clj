;; Looks three moves ahead for wins and losses. The tree of all games is a lazy value: only the part
;; that the search needs is made (J. Hughes, "Why functional programming matters", 1989). The bot
;; could look further if it left out bad moves: see look_ahead.c.
;;
;;   c4-referee match "clojure examples/lazy_tree.clj" "c4-bot --plays random" --games 10
(require '[clojure.edn :as edn] '[clojure.string :as str])

(defn free
  "Returns the columns that are not full, those near the middle first."
  [grid]
  (->> (range (count grid))
       (filter #(zero? (first (grid %))))
       (sort-by #(abs (- (* 2 %) (dec (count grid)))))))

(defn stones
  "Counts the player's stones in a row, starting beside a cell, in one direction."
  [grid player cell step]
  (->> (rest (iterate #(mapv + step %) cell))
       (take-while #(= player (get-in grid %)))
       count))

(defn line?
  "Returns whether the stone on a cell is part of a line."
  [grid cell connect]
  (let [along (partial stones grid (get-in grid cell) cell)]
    (some #(>= (+ (along %) 1 (along (mapv - %))) connect) [[1 0] [0 1] [1 1] [1 -1]])))

(defn tree
  "Returns a tree: whether the last move won, and a lazy sequence of trees, one for each move."
  [grid player connect won]
  {:won won
   :moves (for [x (if won [] (free grid))
                :let [cell [x (dec (count (take-while zero? (grid x))))]
                      after (assoc-in grid cell player)]]
            (assoc (tree after (- 3 player) connect (line? after cell connect)) :column x))})

(defn value
  "Returns how good a tree is for the player who moved last: above 0 for a win, below 0 for a loss."
  [depth {:keys [won moves]}]
  (cond won depth
        (or (zero? depth) (empty? moves)) 0
        :else (- (apply max (map #(value (dec depth) %) moves)))))

(defn own-number
  "Returns our number, 1 or 2: from the line, from the command line, or from the stones."
  [{:keys [grid player]}]
  (or player
      (some->> *command-line-args* (drop-while #(not= % "--player")) second parse-long)
      (let [{ones 1 twos 2 :or {ones 0 twos 0}} (frequencies (flatten grid))]
        (if (<= ones twos) 1 2))))

(doseq [line (take-while #(and % (not= ":exit" (str/trim %))) (repeatedly read-line))
        :let [object (re-find #"\{.*" line)] ; without the byte order mark that some drivers write
        :when object] ; not a blank line
  ;; "key": becomes :key, and JSON becomes EDN, in which a comma is a blank
  (let [precept (edn/read-string (str/replace object #"\"(\w+)\"\s*:" ":$1 "))
        root (tree (:grid precept) (own-number precept) (:connect precept 4) false)
        best (apply max-key #(value 2 %) (reverse (:moves root)))] ; among equals it takes the last
    (println (str "{\"move\":" (:column best) "}"))))
