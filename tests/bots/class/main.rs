// Plays the free column of the lowest rank.
use std::io::{self, BufRead, Write};

fn rank(x: i64, w: i64, empty: i64) -> i64 { (2 * x + 1 - w) * (2 * x + 1 - w) * 9 - empty }

fn main() {
    for line in io::stdin().lock().lines().map(|line| line.unwrap()) {
        if line.starts_with(":exit") {
            break;
        }
        let Some(start) = line.find("\"grid\"") else { continue };
        let cells: String = line[start..].chars().filter(|c| "012]".contains(*c)).collect();
        let columns: Vec<&str> = cells.split("]]").next().unwrap().split(']').collect();
        let empty = |x: usize| columns[x].matches('0').count() as i64;
        let best = (0..columns.len())
            .filter(|&x| empty(x) > 0)
            .min_by_key(|&x| rank(x as i64, columns.len() as i64, empty(x)));
        println!("{{\"move\":{}}}", best.unwrap());
        io::stdout().flush().unwrap();
    }
}
