import { declaration } from './declarations.mjs'
import { ruleCode } from './rule-code.mjs'
import { casesByRule, readRules } from './specification.mjs'

// More of one case than anybody looks at; the whole is in the case file.
const SHOWN_BYTES = 96
const SHOWN_TEXT = 200

/** Any text, made harmless: marks of Markdown, HTML and Vue by number, and what can't be seen as an escape. */
function plain(text) {
  return text.replace(/[^A-Za-z0-9 ,.…]/gu, (mark) => {
    const number = mark.codePointAt(0)
    const visible = /[\p{L}\p{N}\p{P}\p{S}]/u.test(mark) && number < 0xd800
    return visible ? `&#${number};` : `&#92;u&#123;${number.toString(16)}&#125;`
  })
}

const code = (text) => `<code v-pre>${plain(text)}</code>`

function shortened(text, most) {
  return text.length <= most ? text : `${text.slice(0, most)}… (${text.length} in all)`
}

function bytes(hex) {
  const all = hex.length / 2
  const shown = hex.slice(0, SHOWN_BYTES * 2).replace(/../g, '$& ').trim()
  return all === 0 ? 'no bytes' : code(all > SHOWN_BYTES ? `${shown} … ${all} bytes in all` : shown)
}

function outcome({ error, value, canonical, hash, verify, strict }) {
  if (error !== undefined) return `**${error}**`
  if (hash !== undefined) return `${code(shortened(canonical, SHOWN_TEXT))}, ${code(hash)}`
  const more = [verify, strict].some((code) => code !== undefined && code !== 'ok')
    ? `; verify: ${verify ?? 'ok'}, strict: ${strict ?? 'ok'}`
    : ''
  return `${code(shortened(JSON.stringify(value), SHOWN_TEXT))}${more}`
}

function casePart(one) {
  const { name, note, kind, schema, hex, text, caps } = one
  const given = kind === 'schema' ? code(shortened(text, SHOWN_TEXT)) : bytes(hex)
  return [
    `### ${name} {#${name}}`,
    '',
    `<span v-pre>${plain(note ?? '')}</span>`,
    '',
    ...(schema === undefined || schema === null ? [] : [`- schema ${code(shortened(schema, SHOWN_TEXT))}`]),
    ...(caps === undefined ? [] : [`- caps ${code(JSON.stringify(caps))}`]),
    `- ${given}`,
    `- → ${outcome(one)}`,
    '',
  ].join('\n')
}

function codePart(place) {
  const { file, text } = declaration(place)
  const name = place.slice(place.indexOf('#') + 1)
  return [`<code>${name}</code> in <code>packages/kiln/src/${file}</code>:`, '', '```ts', text, '```', ''].join('\n')
}

/** The page of each rule: its text, the code that holds it, and its cases with their bytes. By number. */
export function rulePages() {
  const cases = casesByRule()
  const pages = new Map()
  for (const { number, section, text } of readRules()) {
    const places = ruleCode[number] ?? []
    const own = cases.get(number) ?? []
    pages.set(number, [
      '---',
      `title: Rule §${number}`,
      'outline: false',
      'pageClass: rule-page',
      '---',
      '',
      `# Rule §${number}`,
      '',
      `${section}: [all its rules](../specification.md#r${number.replace('.', '-')})`,
      '',
      `> ${text}`,
      '',
      ...(places.length === 0 ? [] : ['## The code', '', ...places.map(codePart)]),
      `## ${own.length === 1 ? 'The case' : `The ${own.length} cases`}`,
      '',
      ...own.map(casePart),
    ].join('\n'))
  }
  return pages
}

/** How many cases each rule has. */
export function caseCounts() {
  return new Map([...casesByRule()].map(([number, cases]) => [number, cases.length]))
}
