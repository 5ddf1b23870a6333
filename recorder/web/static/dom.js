// Makes elements; text always goes in as text.

/** Return an element with attributes (functions are listeners) and children (texts or elements). */
export function make(name, attributes = {}, ...children) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (typeof value === "function") element.addEventListener(key, value);
    else element.setAttribute(key, value === true ? "" : value);
  }
  element.append(...children.filter((child) => child !== null && child !== undefined));
  return element;
}

/** Give an element these children; it is left alone where it has them, with focus and scrolling. */
export function setChildren(host, nodes) {
  const isSame = nodes.length === host.children.length && nodes.every((node, i) => host.children[i] === node);
  if (!isSame) host.replaceChildren(...nodes);
}
