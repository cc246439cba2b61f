/* Judging by the keys: a digit or N answers the scale that has the focus and goes on to the next. Without this the mouse and Tab do. */
const form = document.getElementById("scales-form");
const scales = [...form.querySelectorAll("fieldset")];
const BY_KEYS = "kindred-judging-by-keys";

function focus(place) {
  const scale = scales[place];
  const target = scale === undefined ? form.querySelector("button") : scale.querySelector("input:checked") ?? scale.querySelector("input");
  target.focus();
}

form.addEventListener("keydown", (event) => {
  if (event.altKey || event.ctrlKey || event.metaKey) return;
  const here = scales.findIndex((scale) => scale.contains(event.target));
  const back = event.key === "Backspace";
  if (back && event.target.matches("input, button")) {
    event.preventDefault();
    focus(Math.max(0, (here < 0 ? scales.length : here) - 1));
    return;
  }
  if (here < 0) return;
  const value = event.key.toLowerCase() === "n" ? "NA" : event.key;
  const choice = [...scales[here].querySelectorAll("input")].find((one) => one.value === value);
  if (choice === undefined) return;
  event.preventDefault();
  choice.checked = true;
  sessionStorage.setItem(BY_KEYS, "1");
  focus(here + 1);
});

form.addEventListener("pointerdown", () => sessionStorage.removeItem(BY_KEYS));

/* who judged the pair before by the keys goes on at once; others begin at the top of the page */
if (sessionStorage.getItem(BY_KEYS) !== null) focus(0);
