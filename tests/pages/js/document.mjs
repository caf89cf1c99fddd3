// As much of a document as Preact needs to draw components into, without a browser. Import it
// before the modules of the pages, which look for a document as they are loaded.
import { html, render } from "../../../glassflow/pages/static/vendor/ui.js";

const TEXT = 3;

class FakeNode {
  childNodes = [];
  parentNode = null;

  get firstChild() {
    return this.childNodes[0] ?? null;
  }
  get nextSibling() {
    const siblings = this.parentNode?.childNodes ?? [];
    return siblings[siblings.indexOf(this) + 1] ?? null;
  }
  insertBefore(node, next) {
    node.remove();
    const { childNodes } = this;
    childNodes.splice(next ? childNodes.indexOf(next) : childNodes.length, 0, node);
    node.parentNode = this;
    return node;
  }
  append(...nodes) {
    for (const node of nodes) this.insertBefore(node, null);
  }
  remove() {
    const siblings = this.parentNode?.childNodes ?? [];
    if (siblings.includes(this)) siblings.splice(siblings.indexOf(this), 1);
    this.parentNode = null;
  }
  /** This node and all within it, in their order. */
  get all() {
    return [this, ...this.childNodes.flatMap((node) => node.all)];
  }
}

class FakeText extends FakeNode {
  nodeType = TEXT;
  constructor(data) {
    super();
    this.data = data;
  }
  get textContent() {
    return String(this.data);
  }
}

class FakeElement extends FakeNode {
  nodeType = 1;
  namespaceURI = "http://www.w3.org/1999/xhtml";
  style = { setProperty() {} };
  value = "";
  #attributes = new Map();
  #listeners = new Map();

  constructor(localName) {
    super();
    this.localName = localName;
  }
  get attributes() {
    return [...this.#attributes].map(([name, value]) => ({ name, value }));
  }
  setAttribute(name, value) {
    this.#attributes.set(name, String(value));
  }
  removeAttribute(name) {
    this.#attributes.delete(name);
  }
  getAttribute(name) {
    return this.#attributes.get(name) ?? null;
  }
  get textContent() {
    return this.childNodes.map((node) => node.textContent).join("");
  }
  set textContent(text) {
    for (const node of [...this.childNodes]) node.remove();
    if (text) this.append(new FakeText(text));
  }
  addEventListener(name, listener) {
    this.#listeners.set(name, listener); // Preact adds one for each event
  }
  removeEventListener(name) {
    this.#listeners.delete(name);
  }
  closest(selector) {
    const names = selector.split(", ");
    return names.includes(this.localName) ? this : (this.parentNode?.closest?.(selector) ?? null);
  }
  querySelector() {
    return null;
  }
  focus() {
    document.activeElement = this;
  }
  blur() {
    if (document.activeElement === this) document.activeElement = document.body;
  }
  /** Let an event happen at this element; it does not bubble. */
  fire(type, members = {}) {
    const event = { type, target: this, preventDefault() {}, ...members };
    return this.#listeners.get(type)?.call(this, event);
  }
}

globalThis.document = Object.assign(new EventTarget(), {
  documentElement: new FakeElement("html"),
  body: new FakeElement("body"),
  activeElement: null,
  hidden: false,
  createElement: (name) => new FakeElement(name),
  createElementNS: (_, name) => new FakeElement(name),
  createTextNode: (data) => new FakeText(data),
  getElementById: (id) => document.body.all.find((node) => node.id === id) ?? null,
  querySelector: () => null,
});
document.documentElement.dataset = {};
document.documentElement.lang = "en";
const page = new EventTarget();
for (const name of ["addEventListener", "removeEventListener", "dispatchEvent"])
  globalThis[name] = page[name].bind(page);
globalThis.location = { pathname: "/floor/", search: "", origin: "http://floor.test" };
Object.defineProperty(globalThis, "navigator", { value: {}, configurable: true });

/**
 * Draw a component: {all(name), text, end}. `all(name)` are its elements of a name, `text` is a
 * function; `end()` removes it.
 */
export function draw(component, properties = {}) {
  const root = document.createElement("div");
  document.body.append(root);
  render(html`<${component} ...${properties} />`, root);
  return {
    all: (name) => root.all.filter((node) => node.localName === name),
    text: () => root.textContent,
    end() {
      render(null, root);
      root.remove();
    },
  };
}

/** Let what has changed be drawn. */
export const drawn = () => new Promise(setImmediate);

/** Press a key on the page; returns whether the page took it. */
export function press(code, { key = code, target = document.body } = {}) {
  const event = Object.assign(new Event("keydown", { cancelable: true }), {
    key,
    code,
    ctrlKey: false,
    altKey: false,
    metaKey: false,
  });
  Object.defineProperty(event, "target", { value: target });
  dispatchEvent(event);
  return event.defaultPrevented;
}
