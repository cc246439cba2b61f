/* The strip of pictures puts the steps in another order: by mouse, by touch, and by Alt and an arrow key.
   Without this the buttons of the steps do. */
const FAR_PX = 6;
const main = document.getElementById("main");
let drag = null;

const strip = () => document.getElementById("strip");
const tiles = () => [...strip().children];

function equip() {
  if (strip() === null) return;
  document.getElementById("moving").hidden = false;
  strip().classList.add("live");
}

/* the form of the editor sends it, with all that was written */
function move(tile, place) {
  const form = document.getElementById("path");
  const target = Object.assign(document.createElement("input"), { type: "hidden", name: "place", value: String(place) });
  const go = Object.assign(document.createElement("button"), { hidden: true, name: "action", value: `move:${tile.dataset.item}` });
  form.append(target, go);
  form.requestSubmit(go);
  target.remove();
  go.remove();
}

function end(event, done) {
  if (drag === null || event.pointerId !== drag.pointer) return;
  const { tile, begun, from } = drag;
  drag = null;
  tile.classList.remove("dragged");
  if (!begun) return;
  // the click that follows is none: it would lead to the step
  strip().addEventListener("click", (click) => click.preventDefault(), { capture: true, once: true });
  const place = tiles().indexOf(tile);
  if (done && place !== from) move(tile, place + 1);
  else strip().insertBefore(tile, tiles().filter((one) => one !== tile)[from] ?? null);
}

main.addEventListener("pointerdown", (event) => {
  const tile = event.target.closest("#strip > li");
  if (tile === null || event.button !== 0) return;
  drag = { tile, pointer: event.pointerId, x: event.clientX, y: event.clientY, from: tiles().indexOf(tile), begun: false };
});
main.addEventListener("pointermove", (event) => {
  if (drag === null || event.pointerId !== drag.pointer) return;
  if (!drag.begun) {
    if (Math.hypot(event.clientX - drag.x, event.clientY - drag.y) < FAR_PX) return;
    drag.begun = true;
    drag.tile.setPointerCapture(event.pointerId);
    drag.tile.classList.add("dragged");
  }
  const over = document.elementsFromPoint(event.clientX, event.clientY).map((one) => one.closest("#strip > li")).find((one) => one !== null && one !== drag.tile);
  if (over === undefined) return;
  const room = over.getBoundingClientRect();
  const behind = event.clientX > room.left + room.width / 2;
  over[behind ? "after" : "before"](drag.tile);
});
main.addEventListener("pointerup", (event) => end(event, true));
main.addEventListener("pointercancel", (event) => end(event, false));
document.addEventListener("keydown", (event) => {
  if (event.key === "Escape" && drag !== null) return end({ pointerId: drag.pointer }, false);
  const tile = event.target.closest?.("#strip > li");
  const by = { ArrowLeft: -1, ArrowUp: -1, ArrowRight: 1, ArrowDown: 1 }[event.key];
  if (!tile || !event.altKey || by === undefined) return;
  event.preventDefault();
  const place = tiles().indexOf(tile) + by;
  if (place < 0 || place >= tiles().length) return;
  document.addEventListener("editor-shown", () => document.getElementById(`tile-${place + 1}`)?.focus(), { once: true });
  move(tile, place + 1);
});
document.addEventListener("editor-shown", equip);
equip();
