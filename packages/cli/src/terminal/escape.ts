/**
 * What a terminal obeys instead of showing, or what reorders or hides the text around it: control characters
 * (ANSI sequences begin with one), formatting characters (bidi, zero width), line separators, lone surrogates.
 */
const UNSAFE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu

function unicodeEscapes(text: string): string {
  let escaped = ''
  for (let i = 0; i < text.length; i++) escaped += `\\u${text.charCodeAt(i).toString(16).padStart(4, '0')}`
  return escaped
}

/** Text of a file as people may see it: one line, with `\u001b` and the like in place of what a terminal obeys. */
export function visible(text: string): string {
  return text.replace(UNSAFE, unicodeEscapes)
}

/** As {@link visible}, for text of several lines that the program itself laid out. */
export function visibleLines(text: string): string {
  return text.split('\n').map(visible).join('\n')
}

/** A JSON string in which nothing can reach a terminal. Any parser reads the same text back. */
export function jsonString(text: string): string {
  return JSON.stringify(text).replace(UNSAFE, unicodeEscapes)
}
