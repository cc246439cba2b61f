/* The editor of a path: a step is dragged by its handle, or moved by Alt and an arrow key. Without this the buttons do. */
const list = document.querySelector("ol.editing");
let dragged = null;

function move(step, place) {
  const form = step.querySelector("form");
  const target = document.createElement("input");
  const go = document.createElement("button");
  Object.assign(target, { type: "hidden", name: "place", value: String(place) });
  Object.assign(go, { hidden: true, name: "action", value: "move" });
  form.append(target, go);
  form.requestSubmit(go);
}

function equip(step) {
  const handle = document.createElement("span");
  Object.assign(handle, { className: "handle", draggable: true, textContent: "⠿", title: "Drag to another place" });
  handle.setAttribute("aria-hidden", "true");
  step.prepend(handle);
  handle.addEventListener("dragstart", (event) => {
    dragged = step;
    event.dataTransfer.effectAllowed = "move";
    event.dataTransfer.setData("text/plain", step.id);
    event.dataTransfer.setDragImage(step, 0, 0);
  });
  handle.addEventListener("dragend", () => {
    dragged = null;
    list.querySelectorAll(".over").forEach((one) => one.classList.remove("over"));
  });
  step.addEventListener("dragover", (event) => {
    if (dragged === null || dragged === step) return;
    event.preventDefault();
    step.classList.add("over");
  });
  step.addEventListener("dragleave", () => step.classList.remove("over"));
  step.addEventListener("drop", (event) => {
    if (dragged === null || dragged === step) return;
    event.preventDefault();
    move(dragged, [...list.children].indexOf(step) + 1);
  });
  step.addEventListener("keydown", (event) => {
    const button = { ArrowUp: "up", ArrowDown: "down" }[event.key];
    if (!event.altKey || button === undefined) return;
    event.preventDefault();
    step.querySelector(`button[value="${button}"]`)?.click();
  });
}

if (list !== null) {
  [...list.children].forEach(equip);
  document.getElementById("moving").hidden = false;
}
