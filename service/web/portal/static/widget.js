/* Shows the neighbours of an item in any page: see docs/widget.md. It needs nothing else and leaves the page alone. */
(() => {
  "use strict";
  const script = document.currentScript;
  const wanted = script && script.dataset;
  if (!wanted || !wanted.item) return;

  const origin = new URL(script.src).origin;
  const limit = Math.min(Math.max(parseInt(wanted.limit, 10) || 6, 1), 24);
  const all = "TYPES"; /* the service writes its types here */
  const types = (wanted.types || all).split(/[\s,]+/).filter(Boolean);
  const first = types.includes(wanted.type) ? wanted.type : types[0];
  const said = "WORDS"; /* the service writes what the widget says in its languages */
  const short = (language) => (language || "").slice(0, 2).toLowerCase();
  const language = [wanted.lang, document.documentElement.lang].map(short).find((one) => one in said) || Object.keys(said)[0];
  const words = said[language];

  const style = `
    :host { display: block; container-type: inline-size; color: inherit; font: inherit; line-height: 1.45; }
    :host([hidden]) { display: none; }
    * { box-sizing: border-box; }
    h2 { font: inherit; font-size: 1.25em; font-weight: 600; margin: 0 0 .5em; }
    [role=tablist] { display: flex; flex-wrap: wrap; gap: .25em; border-bottom: 1px solid; border-color: color-mix(in srgb, currentColor 35%, transparent); }
    [role=tab] { font: inherit; color: inherit; background: none; border: 0; border-bottom: 3px solid transparent; padding: .4em .7em; min-height: 2.2em; cursor: pointer; }
    [role=tab]:hover { text-decoration: underline; }
    [aria-selected=true] { border-bottom-color: var(--kindred-accent, currentColor); font-weight: 600; }
    :focus-visible { outline: 3px solid var(--kindred-accent, currentColor); outline-offset: 2px; }
    ul { list-style: none; margin: 1em 0; padding: 0; display: grid; gap: 1em; grid-template-columns: repeat(auto-fill, minmax(min(100%, 17em), 1fr)); }
    li { display: flex; gap: .8em; position: relative; }
    img { width: 5em; height: 5em; flex: none; object-fit: cover; }
    div { min-width: 0; overflow-wrap: anywhere; }
    p { margin: .2em 0 0; font-size: .92em; }
    a { color: var(--kindred-accent, inherit); font-weight: 600; }
    footer { font-size: .85em; }`;

  const make = (tag, text, attributes) => {
    const element = document.createElement(tag);
    if (text) element.textContent = text;
    for (const [name, value] of Object.entries(attributes || {})) element.setAttribute(name, value);
    return element;
  };
  const web = (address) => (/^https?:\/\//i.test(address || "") ? address : "");
  /* of a IIIF image no more than there is room for */
  const small = (address) => address.replace(/\/full\/(full|max)\/(\d+\/\w+\.\w+)$/, "/full/240,/$2");

  const host = make("div", "", { class: "kindred-widget", lang: language });
  const root = host.attachShadow({ mode: "open" });
  try {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(style);
    root.adoptedStyleSheets = [sheet];
  } catch {
    root.append(make("style", style));
  }
  const section = make("section", "", { "aria-labelledby": "heading" });
  const list = make("div", "", { role: "tablist", "aria-labelledby": "heading" });
  const panel = make("div", "", { role: "tabpanel", id: "panel", tabindex: "0", "aria-live": "polite" });
  section.append(make("h2", wanted.heading || words.heading, { id: "heading" }), list, panel);
  root.append(section);
  host.hidden = true; /* until there is something to show */

  const card = (near) => {
    const item = make("li"), text = make("div");
    if (web(near.image)) {
      const picture = make("img", "", { src: small(near.image), alt: "", loading: "lazy", referrerpolicy: "no-referrer" });
      picture.addEventListener("error", () => picture.remove());
      item.append(picture);
    }
    text.append(make("a", near.title, { href: origin + near.view }));
    const by = [near.creator.join("; "), near.date.join("; ")].filter(Boolean).join(", ");
    if (by) text.append(make("p", by));
    text.append(make("p", near.reason));
    text.append(make("p", near.closeness, { title: words.score.replace("SCORE", near.score.toLocaleString(language, { minimumFractionDigits: 2, maximumFractionDigits: 2 })) }));
    item.append(text);
    return item;
  };

  const answers = new Map();
  const ask = (type) => {
    if (!answers.has(type)) {
      const query = new URLSearchParams({ type, limit, lang: language });
      const address = `${origin}/items/${encodeURIComponent(wanted.item)}/similar?${query}`;
      const answer = fetch(address, { credentials: "omit" }).then((reply) => {
        if (!reply.ok) throw new Error(reply.status);
        return reply.json();
      });
      answer.catch(() => answers.delete(type)); /* the next click asks again */
      answers.set(type, answer);
    }
    return answers.get(type);
  };

  const show = async (type) => {
    for (const tab of list.children) {
      const chosen = tab.id === "tab-" + type;
      tab.setAttribute("aria-selected", chosen);
      tab.tabIndex = chosen ? 0 : -1;
    }
    panel.setAttribute("aria-labelledby", "tab-" + type);
    panel.dataset.type = type;
    panel.setAttribute("aria-busy", "true");
    let shown;
    try {
      const { neighbours } = await ask(type);
      shown = neighbours.length ? make("ul") : make("p", words.nothing);
      if (neighbours.length) shown.append(...neighbours.map(card));
      host.hidden = false;
    } catch {
      shown = make("p", words.later);
    }
    if (panel.dataset.type !== type) return; /* another was chosen meanwhile */
    panel.replaceChildren(shown);
    panel.removeAttribute("aria-busy");
  };

  for (const type of types) {
    const name = words.types[type] || type.charAt(0).toUpperCase() + type.slice(1);
    const tab = make("button", name, { type: "button", role: "tab", id: "tab-" + type, "aria-controls": "panel" });
    tab.addEventListener("click", () => show(type));
    list.append(tab);
  }
  list.addEventListener("keydown", (event) => {
    const tabs = [...list.children], at = tabs.indexOf(root.activeElement), last = tabs.length - 1;
    const to = { ArrowRight: at < last ? at + 1 : 0, ArrowLeft: at > 0 ? at - 1 : last, Home: 0, End: last }[event.key];
    if (at < 0 || to === undefined) return;
    event.preventDefault();
    tabs[to].focus();
    tabs[to].click();
  });

  const more = make("footer");
  more.append(make("a", words.more, { href: `${origin}/view/items/${encodeURIComponent(wanted.item)}` }));
  section.append(more);
  script.after(host);
  show(first);
})();
