// @ts-check
// Makes buttons of the headings of tables of class "sortable". A button sorts its table by its column.
// Frames of tables that go on to the right have the class "more".
for (const frame of document.querySelectorAll(".frame")) {
  const mark = () => frame.classList.toggle("more", frame.scrollLeft + frame.clientWidth < frame.scrollWidth - 1);
  frame.addEventListener("scroll", mark);
  for (const node of [frame, ...frame.children]) new ResizeObserver(mark).observe(node);
}
for (const table of /** @type {NodeListOf<HTMLTableElement>} */ (document.querySelectorAll("table.sortable"))) {
  const body = table.tBodies[table.tBodies.length - 1]; // the tested bot of a gauntlet has a body of its own
  const headings = [.../** @type {HTMLTableSectionElement} */ (table.tHead).rows[0].cells];
  headings.forEach((heading, column) => {
    if (!("sort" in heading.dataset)) return;
    const button = document.createElement("button");
    button.type = "button";
    button.className = "sort";
    button.append(...heading.childNodes);
    button.addEventListener("click", () => sort(heading, column));
    heading.append(button);
  });

  /** @param {HTMLElement} heading @param {number} column */
  function sort(heading, column) {
    const rising = heading.getAttribute("aria-sort");
    const isRising = rising ? rising === "descending" : isRisingFirst(column);
    for (const other of headings) other.removeAttribute("aria-sort");
    heading.setAttribute("aria-sort", isRising ? "ascending" : "descending");
    const rows = [...body.rows].sort((one, two) => compare(one.cells[column], two.cells[column], isRising));
    body.append(...rows);
  }

  // The first click sorts ranks, names and columns with data-sort="up" upwards, and all others downwards.
  /** @param {number} column */
  function isRisingFirst(column) {
    return column < 2 || headings[column].dataset.sort === "up";
  }
}

/** @param {HTMLElement} one @param {HTMLElement} two @param {boolean} isRising */
function compare(one, two, isRising) {
  const [a, b] = [one, two].map(sortValue);
  if (a === null || b === null) return Number(a === null) - Number(b === null); // unknown values are last
  const order = typeof a === "number" && typeof b === "number" ? a - b : String(a).localeCompare(String(b));
  return isRising ? order : -order;
}

/** @param {HTMLElement} cell */
function sortValue(cell) {
  const text = cell.dataset.v ?? cell.textContent.trim();
  if (text === "–" || text === "") return null;
  return Number.isNaN(Number(text)) ? text : Number(text);
}
