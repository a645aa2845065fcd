import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const spec = fileURLToPath(new URL('../../spec/', import.meta.url))
const FILES = ['kiln-pod-cases.json', 'kiln-v2-cases.json', 'frame-cases.json', 'schema-cases.json']

export const specificationText = () => readFileSync(`${spec}SPEC.md`, 'utf8')

const RULE = /^- \*\*§(\d+\.\d+)\*\* (.*)$/

/** The rules of the specification in order: number, section, text. */
export function readRules(text = specificationText()) {
  const rules = []
  let section = ''
  for (const line of text.split('\n')) {
    section = /^## (.*)$/.exec(line)?.[1] ?? section
    const rule = RULE.exec(line)
    if (rule !== null) rules.push({ number: rule[1], section, text: rule[2] })
  }
  return rules
}

/** The cases of every file, by the number of their rule. */
export function casesByRule() {
  const byRule = new Map()
  for (const file of FILES) {
    for (const one of JSON.parse(readFileSync(spec + file, 'utf8')).cases) {
      const number = one.rule.slice(1)
      byRule.set(number, [...(byRule.get(number) ?? []), { ...one, file }])
    }
  }
  return byRule
}

/** Where the page of a rule lies, from the folder of the format's pages. */
export const rulePage = (number) => `rules/${number.replace('.', '-')}`

// The pictures that belong in front of a table, by the table's first line.
const PICTURES = new Map([
  ['| header, at | bytes | field |', '![The fields of a directory\'s header](./directory-header.svg)'],
  ['| descriptor, at | bytes | field |', '![The fields of a descriptor](./descriptor.svg)'],
  ['| at | bytes | field |', '![The fields of a frame\'s header](./frame-header.svg)'],
])

/** The specification as a page of the site: every rule has a place of its own, and leads to its page. */
export function specificationPage(counts) {
  return specificationText()
    .split('\n')
    .map((line) => {
      const picture = PICTURES.get(line)
      if (picture !== undefined) return `${picture}\n\n${line}`
      const rule = RULE.exec(line)
      if (rule === null) return line
      const [, number, text] = rule
      const count = counts.get(number) ?? 0
      return `- <a id="r${number.replace('.', '-')}"></a>**§${number}** ${text} [${count} case${count === 1 ? '' : 's'} and the code](./${rulePage(number)}.md)`
    })
    // The names of cases are on the rules' pages, each with its bytes.
    .filter((line) => !/^ {2}\*Cases:\* /.test(line))
    .join('\n')
    .replace('Every rule that bytes can show has a number and is followed by the names of the cases that pin it; `*` in a name stands\nfor any letters. The cases are in', 'Every rule that bytes can show has a number, and a page with the cases that pin it and the code that holds it. The cases are in')
}
