// Builds HTML and XML from templates. All values are escaped, except `Html` objects.

export class Html {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }

  toString(): string {
    return this.text
  }
}

/** The same function for XML. In templates named `html`, the code formatter would add white space. */
export const xml = html

type Value = Html | string | number | false | null | undefined | readonly Value[]

/** Fills a template. Concatenates lists, and leaves out null, undefined and false. */
export function html(parts: TemplateStringsArray, ...values: Value[]): Html {
  let text = parts[0] ?? ''
  values.forEach((value, at) => {
    text += toText(value) + (parts[at + 1] ?? '')
  })
  return new Html(text)
}

function toText(value: Value): string {
  if (value === null || value === undefined || value === false) return ''
  if (value instanceof Html) return value.text
  return typeof value === 'string' || typeof value === 'number'
    ? escapeText(String(value))
    : value.map(toText).join('')
}

/** Escapes text and quoted attributes for HTML and XML. Removes control characters that XML does not allow. */
export function escapeText(text: string): string {
  return text
    .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, '')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;')
}

/** Serializes a value as JSON for a script element. */
export function jsonIn(value: unknown): Html {
  return new Html(JSON.stringify(value).replaceAll('<', '\\u003c').replaceAll('>', '\\u003e'))
}
