import { utf8Text } from '../reading/text.js'
import type { FileKindName } from './kinds.js'
import { latin1 } from './latin1.js'

/** What kind of text the first bytes are, or undefined where they are no text. */
export function textKind(head: Uint8Array, name: string): FileKindName | undefined {
  // Tabs, line ends, form feeds and everything from the space on; DEL and the other controls are in no text.
  if (head.some((byte) => (byte < 0x20 && !(byte >= 0x09 && byte <= 0x0d)) || byte === 0x7f)) return undefined
  if (!isUtf8(head)) return undefined
  const text = latin1(head)
    .replace(/^\u00ef\u00bb\u00bf/, '')
    .trimStart()
  if (text.startsWith('version https://git-lfs.github.com/spec/')) return 'git-lfs-pointer'
  if (/^<(!doctype\s+html|html|head|body|!--)/i.test(text)) return 'html'
  if (text.startsWith('<?xml')) return 'xml'
  if (/^[[{]/.test(text)) return jsonKind(text, name)
  // A field and its value, or the start of a nested message.
  if (/^(#[^\n]*\n\s*)*[a-z_][a-z0-9_]*\s*(:\s*["'\w-]|\{)/i.test(text)) return 'protobuf-text'
  return 'text'
}

function jsonKind(text: string, name: string): FileKindName {
  if (/"weight_map"\s*:/.test(text)) return 'safetensors-index'
  if (/"(weightsManifest|modelTopology|convertedBy)"\s*:/.test(text)) return 'tfjs'
  if (text.startsWith('[') && /"(paths|weights)"\s*:/.test(text)) return 'tfjs'
  if (/\.index\.json$/i.test(name)) return 'safetensors-index'
  return /weights_manifest\.json$/i.test(name) ? 'tfjs' : 'json'
}

/** Whether the bytes are UTF-8, apart from a character at their end that may be cut. */
function isUtf8(head: Uint8Array): boolean {
  let end = head.length
  while (end > 0 && head.length - end < 3 && head[end - 1]! >= 0x80 && head[end - 1]! < 0xc0) end--
  if (end > 0 && head[end - 1]! >= 0xc0) end--
  try {
    utf8Text(head, 0, end, 'the text')
    return true
  } catch {
    return false
  }
}
