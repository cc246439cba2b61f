/* The editor of a path saves by itself: what is typed is kept in the browser until the server has stored it.
   Without this the button Save does, and every other button saves too. */
const PAUSE_MS = 800;
const AGAIN_MS = 5000;
const DRAFT = `kindred-draft ${location.pathname}`;
const page = document.getElementById("main");
const words = JSON.parse(document.getElementById("words").textContent);
let timer = null;
let saving = null;

const form = () => document.getElementById("path");
const version = () => form().elements.version;

/* what is written: texts of the path and of its steps, not the search and the suggestions beside them */
function fields() {
  const written = /^(?:title|text|by|(?:note|type|reason):[^]+)$/;
  return [...(form()?.elements ?? [])].filter((one) => written.test(one.name));
}

function stored(field) {
  if (field.matches("select")) return [...field.options].find((one) => one.defaultSelected)?.value ?? "";
  return field.defaultValue;
}

function store(field, value) {
  if (field.matches("select")) [...field.options].forEach((one) => { one.defaultSelected = one.value === value; });
  else field.defaultValue = value;
}

/* what the page showed of a text before it was written over, where that is not what the server has now */
const seen = new Map();
const was = (field) => seen.get(field.name) ?? stored(field);

/* the names of texts that somebody else changed too: they wait until the two are compared, the others do not */
const clashing = new Set();

const unsaved = () => fields().filter((one) => one.value !== stored(one));

const waiting = () => unsaved().filter((one) => !clashing.has(one.name));

function say(state, text, link = null) {
  const line = document.getElementById("saved");
  if (line === null) return;
  line.dataset.state = state;
  line.replaceChildren(text);
  if (link !== null) line.append(" ", link);
}

/* storage may be forbidden or full: then what is typed is on the page alone */
function keep() {
  const own = unsaved();
  try {
    if (own.length === 0) localStorage.removeItem(DRAFT);
    else localStorage.setItem(DRAFT, JSON.stringify(own.map((one) => [one.name, one.value, was(one)])));
  } catch {
    say("unsaved", words.forgetful);
  }
}

function restore() {
  let draft = null;
  try {
    draft = JSON.parse(localStorage.getItem(DRAFT));
  } catch {
    return;
  }
  if (draft === null) return;
  const byName = new Map(fields().map((one) => [one.name, one]));
  for (const [name, text, before] of draft) {
    const field = byName.get(name) ?? lost(name);
    field.value = text;
    seen.set(name, before);
  }
  if (unsaved().length === 0) return keep();
  soon(0);
}

/* a text of a step that somebody else removed: it is sent all the same, and the server shows what became of it */
function lost(name) {
  const field = document.createElement("input");
  Object.assign(field, { type: "hidden", name });
  field.defaultValue = "";
  field.setAttribute("form", "path");
  form().after(field);
  return field;
}

function link(text, address) {
  return Object.assign(document.createElement("a"), { textContent: text, href: address });
}

function compare() {
  const button = Object.assign(document.createElement("button"), { type: "button", className: "quiet", textContent: words.compare });
  button.addEventListener("click", () => submit("save", {}));
  return button;
}

function soon(pause = PAUSE_MS) {
  clearTimeout(timer);
  timer = setTimeout(save, pause);
}

async function save() {
  if (form() === null || unsaved().length === 0) return;
  if (waiting().length === 0) return refused(412);
  if (saving !== null) return saving.then(() => soon(0));
  say("saving", words.saving);
  saving = send(waiting());
  await saving;
  saving = null;
}

async function send(some) {
  const sent = some.map((one) => [one, one.value]);
  const texts = sent.flatMap(([one, text]) => [[one.name, text], [`was:${one.name}`, was(one)]]);
  const body = new URLSearchParams([["version", version().value], ["action", "save"], ...texts]);
  let answer = null;
  try {
    answer = await fetch(form().getAttribute("action"), { method: "POST", body, headers: { Accept: "application/json" }, keepalive: body.toString().length < 60000 });
  } catch {
    say("unsaved", words.unreachable);
    return soon(AGAIN_MS);
  }
  if (answer.ok) return saved(await answer.json(), sent);
  // nothing of them is stored: each by itself shows which it is
  if (answer.status === 412 && some.length > 1) {
    for (const one of some) await send([one]);
    return;
  }
  if (answer.status === 412) clashing.add(some[0].name);
  refused(answer.status, (await answer.json().catch(() => ({}))).detail);
}

function saved(answer, sent) {
  // what others wrote is not on the page: what concerns the whole path still asks about it
  if (answer.alone) version().value = answer.version;
  sent.forEach(([field, text]) => { store(field, text); seen.delete(field.name); });
  keep();
  if (waiting().length > 0) return soon();
  if (clashing.size > 0) return refused(412);
  if (answer.alone) say("saved", words.saved);
  else say("saved", words.others, link(words.show, location.href));
}

function refused(status, detail) {
  const login = `/login?next=${encodeURIComponent(location.pathname)}`;
  if (status === 412) say("unsaved", words.clash, compare());
  else if (status === 401 || status === 403) say("unsaved", words.logged_out, link(words.log_in, login));
  else if (status === 429 || status === 503) { say("unsaved", words.busy); soon(AGAIN_MS); }
  else if (status === 404) say("unsaved", words.deleted);
  else say("unsaved", words.refused.replace("WHY", detail ?? words.failed));
}

/* an action: the page that comes back takes the place of this one, where the reader is */
async function submit(action, more) {
  clearTimeout(timer);
  await saving;
  const sent = new Map(fields().map((one) => [one.name, one.value]));
  const body = new URLSearchParams(new FormData(form()));
  // what is as it was is not sent: a long path would not fit a request
  fields().filter((one) => one.value === stored(one)).forEach((one) => body.delete(one.name));
  unsaved().forEach((one) => body.set(`was:${one.name}`, was(one)));
  Object.entries({ action, ...more }).forEach(([name, value]) => body.set(name, value));
  say("saving", words.saving);
  let answer = null;
  try {
    answer = await fetch(form().getAttribute("action"), { method: "POST", body, headers: { Accept: "text/html" } });
  } catch {
    return say("unsaved", words.not_done);
  }
  if (answer.redirected && new URL(answer.url).pathname !== location.pathname) {
    if (answer.ok) localStorage.removeItem(DRAFT);
    return location.assign(answer.url);
  }
  if (!answer.ok && answer.status !== 412) return refused(answer.status, await sentence(answer));
  await show(answer, sent);
  // what is added is written about next: no click lies between
  if (action.startsWith("add:")) note(action.slice("add:".length))?.focus();
}

function note(item) {
  return fields().findLast((one) => one.name === `note:${item}`);
}

async function sentence(answer) {
  const text = new DOMParser().parseFromString(await answer.text(), "text/html").querySelector("main p.detail")?.textContent ?? "";
  return text.trim().replace(/\.$/, "") || undefined;
}

async function show(answer, sent) {
  const text = await answer.text();
  const { id, selectionStart: start, selectionEnd: end } = document.activeElement ?? {};
  // typed after it was sent
  const later = new Map(fields().filter((one) => one.value !== sent.get(one.name)).map((one) => [one.name, one.value]));
  page.replaceChildren(...new DOMParser().parseFromString(text, "text/html").getElementById("main").childNodes);
  if (answer.redirected) history.replaceState(null, "", answer.url);
  begin();
  if (form() === null) return window.scrollTo(0, 0);
  seen.clear();
  clashing.clear();
  fields().filter((one) => later.has(one.name)).forEach((one) => {
    one.value = later.get(one.name);
    seen.set(one.name, sent.get(one.name));
  });
  keep();
  say("saved", words.saved);
  if (unsaved().length > 0) soon();
  const focused = document.getElementById(id);
  focused?.focus({ preventScroll: true });
  if (focused?.matches("textarea")) focused.setSelectionRange(start, end);
  document.dispatchEvent(new CustomEvent("editor-shown"));
}

function begin() {
  const settling = document.getElementById("settling");
  settling?.addEventListener("submit", () => localStorage.removeItem(DRAFT));
  document.getElementById("leave")?.addEventListener("click", () => localStorage.removeItem(DRAFT));
  if (form() !== null) say("saved", words.saves);
}

page.addEventListener("input", (event) => {
  if (!fields().includes(event.target)) return;
  keep();
  say("unsaved", words.waiting);
  soon();
});
page.addEventListener("change", (event) => { if (fields().includes(event.target)) soon(0); });
page.addEventListener("submit", (event) => {
  if (event.target !== form()) return;
  event.preventDefault();
  const place = event.target.elements.place;
  submit(event.submitter?.value ?? "save", place === undefined ? {} : { place: place.value });
});
page.addEventListener("keydown", (event) => {
  if (event.key === "Enter" && event.target.id === "find") { event.preventDefault(); submit("find", {}); }
});
window.addEventListener("online", () => soon(0));
document.addEventListener("visibilitychange", () => { if (document.visibilityState === "hidden") save(); });
begin();
if (form() !== null) restore();
