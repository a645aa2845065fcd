import type { SpanKind } from 'kiln-format/walk'

/** What each kind of span is called. */
export const KIND_NAMES: Readonly<Record<SpanKind, string>> = {
  'frame-header': 'frame header',
  'schema-text': 'schema text',
  header: 'directory header',
  descriptor: 'descriptor',
  name: 'name',
  payload: 'payload',
  padding: 'padding',
  count: 'count',
  length: 'length',
  tag: 'option tag',
  key: 'key',
  value: 'value',
  group: 'value',
  error: 'failing check',
  rest: 'not read',
}

/** Those that a legend shows, in the order of a file. */
export const LEGEND: readonly SpanKind[] = [
  'frame-header',
  'schema-text',
  'header',
  'descriptor',
  'name',
  'payload',
  'padding',
  'count',
  'key',
  'value',
  'error',
  'rest',
]
