// Lays the map out for moving and zooming; without this it is a drawing.
"use strict";
const room = document.getElementById("map");
const APART = 30; // pixels between two dots at least: nearer places are one
const TOWNS = 40; // names of towns that are shown at once
const CLOSEST = 7;

const degrees = (text) => text.split(" ").map(Number);
const places = [...document.querySelectorAll(".spots [data-at]")].map((row) => ({
  at: degrees(row.dataset.at),
  name: row.querySelector("strong").textContent,
  id: row.id,
  own: row.classList.contains("own"),
  wide: row.classList.contains("wide"),
  beyond: "beyond" in row.dataset,
}));

// The lines of a drawn path, whose unit is a tenth of a degree from the upper left corner of the world.
function lines(path) {
  return path.split("M").slice(1).map((part) => {
    const steps = part.match(/-?\d+/g).map(Number);
    const line = [];
    for (let n = 0, x = 0, y = 0; n < steps.length; n += 2) {
      x += steps[n];
      y += steps[n + 1];
      line.push([90 - y / 10, x / 10 - 180]);
    }
    return line;
  });
}

function lay(world, towns) {
  const drawn = (id) => lines(world.getElementById(id).getAttribute("d"));
  room.replaceChildren();
  room.classList.add("ready");
  const map = L.map(room, { minZoom: 1, maxZoom: CLOSEST, zoomSnap: 0.5, attributionControl: false });
  map.fitBounds(L.latLngBounds(places.filter((one) => !one.beyond).map((one) => one.at)).pad(0.3), { animate: false, maxZoom: 5 });
  L.polygon(drawn("land").map((ring) => [ring]), { className: "land", interactive: false }).addTo(map);
  L.polyline(drawn("borders"), { className: "borders", interactive: false }).addTo(map);
  room.setAttribute("role", "application");
  room.setAttribute("aria-label", room.dataset.help);
  const dots = L.layerGroup().addTo(map);
  const names = L.layerGroup().addTo(map);

  function clusters() {
    const made = [];
    for (const place of places) {
      const point = map.latLngToContainerPoint(place.at);
      const near = made.find((one) => one.point.distanceTo(point) < APART);
      if (near) near.places.push(place);
      else made.push({ point, places: [place] });
    }
    return made;
  }

  function open(own) {
    const bounds = L.latLngBounds(own.map((one) => one.at));
    if (map.getZoom() < CLOSEST && !bounds.getNorthEast().equals(bounds.getSouthWest())) {
      map.fitBounds(bounds.pad(0.5), { maxZoom: CLOSEST });
      room.focus();
    } else {
      location.hash = own[0].id;
    }
  }

  function show() {
    dots.clearLayers();
    names.clearLayers();
    const taken = [];
    for (const { point, places: own } of clusters()) {
      const classes = [own.some((one) => one.own) ? "own" : "near", own.every((one) => one.wide) ? "wide" : ""];
      const number = own.length > 1 ? `${own.length}×` : own[0].id.replace("place-", "");
      const icon = L.divIcon({ className: classes.join(" ").trim(), html: number, iconSize: [28, 28] });
      const label = [...new Set(own.map((one) => one.name))].join(", ");
      const marker = L.marker(own[0].at, { icon, title: label, alt: label, riseOnHover: true });
      marker.on("click keypress", (event) => {
        if (event.type === "click" || event.originalEvent.key === "Enter") open(own);
      });
      marker.addTo(dots);
      taken.push([point.x - 16, point.x + 16, point.y - 16, point.y + 16]);
    }
    const size = map.getSize();
    let left = TOWNS;
    for (const [name, latitude, longitude] of towns) {
      const { x, y } = map.latLngToContainerPoint([latitude, longitude]);
      const half = name.length * 3.6;
      const box = [x - half, x + half, y - 8, y + 8];
      const within = box[0] > 0 && box[1] < size.x && box[2] > 0 && box[3] < size.y;
      if (!within || taken.some((one) => box[0] < one[1] && one[0] < box[1] && box[2] < one[3] && one[2] < box[3])) continue;
      taken.push(box);
      const text = document.createElement("span");
      text.textContent = name;
      const icon = L.divIcon({ className: "town", html: text, iconSize: [2 * half, 12] });
      L.marker([latitude, longitude], { icon, interactive: false, keyboard: false }).addTo(names);
      if (!--left) break;
    }
  }

  map.on("zoomend moveend", show);
  show();
}

Promise.all([fetch(room.dataset.world), fetch(room.dataset.towns)])
  .then(async ([world, towns]) => lay(new DOMParser().parseFromString(await world.text(), "image/svg+xml"), await towns.json()))
  .catch(() => {}); // the drawing stays
