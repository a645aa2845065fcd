import type { Docs } from '../model/model.js'

// A comment's lines are broken at words from here on, so that they can be read.
const COLUMNS = 110

/**
 * A doc comment with the title and the description, or no line if there is neither. Nothing in them can end the
 * comment, begin a tag, steer a compiler or a linter, or hide the direction of the text.
 */
export function docComment(docs: Docs, indent = ''): string[] {
  const texts = [docs.title, docs.description].filter((text) => text !== undefined && text.trim() !== '') as string[]
  const paragraphs = texts.length === 2 && normal(texts[0]!) === normal(texts[1]!) ? [texts[0]!] : texts
  const lines = paragraphs.flatMap((text, i) => [...(i > 0 ? [''] : []), ...linesOf(text, COLUMNS - indent.length)])
  if (docs.deprecated === true) lines.push(...(lines.length > 0 ? [''] : []), '@deprecated')
  if (lines.length === 0) return []
  if (lines.length === 1) return [`${indent}/** ${lines[0]} */`]
  return [`${indent}/**`, ...lines.map((line) => `${indent} *${line === '' ? '' : ` ${line}`}`), `${indent} */`]
}

function normal(text: string): string {
  return text.trim().replace(/\s+/g, ' ')
}

function linesOf(text: string, columns: number): string[] {
  const lines = text.split(/\r\n|[\n\r\u2028\u2029\u0085\v\f]/).flatMap((line) => wrapped(harmless(line), columns))
  while (lines[0] === '') lines.shift()
  while (lines.at(-1) === '') lines.pop()
  return lines.filter((line, i) => line !== '' || lines[i - 1] !== '')
}

// Controls, marks of direction, invisible characters and lone surrogates. Written out, since classes such as
// \p{Cf} grow with the engine's Unicode version, and the output is the same on every one.
const HIDDEN = new RegExp(
  [
    '[\\u0000-\\u001f\\u007f-\\u009f\\u00ad\\u061c\\u200b\\u200e\\u200f',
    '\\u2028-\\u202e\\u2060-\\u206f\\ufeff\\ufff9-\\ufffb',
    '\\u{e0000}-\\u{e007f}\\p{Cs}]',
  ].join(''),
  'gu',
)

/** One line without what a comment may not hold. */
function harmless(line: string): string {
  return (
    line
      .replace(HIDDEN, (c) => (c === '\t' ? ' ' : `U+${hex(c)}`))
      .replace(/\*\//g, '*\\/')
      .trim()
      // A tag, or a directive such as ts-ignore, begins with @ at the front of a line.
      .replace(/^[\s/*]*@/, (start) => `${start.slice(0, -1)}\\@`)
  )
}

function hex(c: string): string {
  return c.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')
}

function wrapped(line: string, columns: number): string[] {
  const lines: string[] = []
  let rest = line
  while (rest.length > columns) {
    const at = rest.lastIndexOf(' ', columns)
    const end = at > 0 ? at : rest.indexOf(' ', columns)
    if (end <= 0) break
    lines.push(rest.slice(0, end).trimEnd())
    rest = rest
      .slice(end + 1)
      .trimStart()
      .replace(/^[/*]*@/, (start) => `${start.slice(0, -1)}\\@`)
  }
  lines.push(rest)
  return lines
}
