// Dom: elements without markup. What is given as text becomes a text node, and nothing else.

const SVG = "http://www.w3.org/2000/svg";

/** An HTML element. `on` holds listeners; null, undefined and false leave an attribute out. */
export function h(name, given = {}, ...children) {
  return filled(document.createElement(name), given, children);
}

/** An element of SVG. */
export function s(name, given = {}, ...children) {
  return filled(document.createElementNS(SVG, name), given, children);
}

/** Puts new children in the place of the old ones. */
export function fill(parent, ...children) {
  parent.replaceChildren(...listed(children));
  return parent;
}

export const $ = (id) => document.getElementById(id);

function filled(element, given, children) {
  for (const [name, value] of Object.entries(given)) {
    if (name === "on") {
      for (const [event, listener] of Object.entries(value)) {
        element.addEventListener(event, listener);
      }
    } else if (value !== null && value !== undefined && value !== false) {
      element.setAttribute(name, value === true ? "" : String(value));
    }
  }
  element.append(...listed(children));
  return element;
}

const listed = (children) =>
  children
    .flat(Infinity)
    .filter((child) => child !== null && child !== undefined && child !== false);
