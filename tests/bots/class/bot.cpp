// Plays the free column of the lowest rank.
#include <iostream>
#include <string>
#include <vector>

int rank(int x, int w, int empty) { return (2 * x + 1 - w) * (2 * x + 1 - w) * 9 - empty; }

int main() {
    for (std::string line; std::getline(std::cin, line) && line[0] != ':';) {
        auto start = line.find("\"grid\"");
        if (start == std::string::npos) continue;
        std::vector<int> empty{0};
        int depth = 0;
        for (char cell : line.substr(line.find('[', start))) {
            depth += (cell == '[') - (cell == ']');
            if (depth == 0) break;
            if (cell == '0') ++empty.back();
            if (cell == ']') empty.push_back(0);
        }
        empty.pop_back();
        int best = -1, w = static_cast<int>(empty.size());
        for (int x = 0; x < w; ++x)
            if (empty[x] && (best < 0 || rank(x, w, empty[x]) < rank(best, w, empty[best])))
                best = x;
        std::cout << "{\"move\":" << best << "}" << std::endl;
    }
}
