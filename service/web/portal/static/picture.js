// Lays the picture out for zooming; without this it is shown as large as the page allows.
"use strict";
const room = document.getElementById("zoom");
const picture = room.querySelector("img");

function lay() {
  const size = [[0, 0], [picture.naturalHeight, picture.naturalWidth]];
  const label = picture.alt;
  room.replaceChildren();
  room.classList.add("ready");
  const map = L.map(room, { crs: L.CRS.Simple, minZoom: -6, maxZoom: 3, zoomSnap: 0.25, attributionControl: false });
  L.imageOverlay(picture.src, size, { alt: label, referrerPolicy: "no-referrer" }).addTo(map);
  const fit = () => {
    map.setMinZoom(-6).fitBounds(size, { animate: false, maxZoom: 1 });
    map.setMinZoom(map.getZoom() - 0.5);
  };
  map.setMaxBounds(L.latLngBounds(size).pad(0.5));
  fit();
  room.setAttribute("role", "application");
  room.setAttribute("aria-label", `${label}: ${room.dataset.help}`);

  const full = document.getElementById("full");
  full.hidden = !document.fullscreenEnabled;
  full.addEventListener("click", () => room.requestFullscreen());
  document.addEventListener("fullscreenchange", () => { map.invalidateSize(); fit(); });
}

if (picture.complete && picture.naturalWidth) lay();
else picture.addEventListener("load", lay);
