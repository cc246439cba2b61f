// Lays the picture out for zooming; without this it is shown as large as the page allows.
"use strict";
const room = document.getElementById("zoom");
const picture = room.querySelector("img");
const TILE = 512; // pixels of a tile where the museum's server names no size

// The picture in one piece, as it was loaded: a layer and its bounds.
function whole() {
  const bounds = L.latLngBounds([[0, 0], [picture.naturalHeight, picture.naturalWidth]]);
  return [L.imageOverlay(picture.src, bounds, { alt: picture.alt, referrerPolicy: "no-referrer" }), bounds, 3];
}

// The picture in tiles, each asked for when it is seen (IIIF Image API).
async function tiled(service) {
  const answer = await fetch(`${service}/info.json`, { referrerPolicy: "no-referrer" });
  const { width, height, tiles } = await answer.json();
  if (!answer.ok || !(width > 0 && height > 0)) throw new Error("no size");
  const side = tiles?.[0]?.width ?? TILE;
  const closest = Math.max(0, Math.ceil(Math.log2(Math.max(width, height) / side)));
  const bounds = L.latLngBounds(L.CRS.Simple.pointToLatLng(L.point(0, height), closest), L.CRS.Simple.pointToLatLng(L.point(width, 0), closest));
  const layer = L.tileLayer("", { tileSize: side, maxNativeZoom: closest, minNativeZoom: 0, noWrap: true, bounds, referrerPolicy: "no-referrer" });
  layer.getTileUrl = ({ x, y, z }) => {
    const scale = 2 ** (closest - z);
    const [left, top] = [x * side * scale, y * side * scale];
    const [across, down] = [Math.min(side * scale, width - left), Math.min(side * scale, height - top)];
    return `${service}/${left},${top},${across},${down}/${Math.ceil(across / scale)},/0/default.jpg`;
  };
  // the tiles of the last column and row are smaller
  layer.on("tileload", ({ tile, coords }) => {
    const scale = 2 ** (closest - coords.z);
    tile.style.width = `${Math.ceil(Math.min(side * scale, width - coords.x * side * scale) / scale)}px`;
    tile.style.height = `${Math.ceil(Math.min(side * scale, height - coords.y * side * scale) / scale)}px`;
  });
  return [layer, bounds, closest + 1];
}

function lay([layer, bounds, closest]) {
  const label = picture.alt;
  room.replaceChildren();
  room.classList.add("ready");
  const map = L.map(room, { crs: L.CRS.Simple, minZoom: -6, maxZoom: closest, zoomSnap: 0.25, attributionControl: false });
  const fit = () => {
    map.setMinZoom(-6).fitBounds(bounds, { animate: false, maxZoom: 1 });
    map.setMinZoom(map.getZoom() - 0.5);
  };
  map.setMaxBounds(bounds.pad(0.5));
  fit();
  layer.addTo(map);
  room.setAttribute("role", "application");
  room.setAttribute("aria-label", `${label}: ${room.dataset.help}`);

  const full = document.getElementById("full");
  full.hidden = !document.fullscreenEnabled;
  full.addEventListener("click", () => room.requestFullscreen());
  document.addEventListener("fullscreenchange", () => { map.invalidateSize(); fit(); });
}

function loaded() {
  if (picture.complete && picture.naturalWidth) lay(whole());
  else picture.addEventListener("load", () => lay(whole()));
}

const { service } = room.dataset;
// where the museum's server does not say how large its picture is, there is the one that is loaded
if (service) tiled(service).then(lay, loaded);
else loaded();
