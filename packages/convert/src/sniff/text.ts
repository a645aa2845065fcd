import type { FileKindName } from './kinds.js'
import { latin1 } from './latin1.js'

/** What kind of text the first bytes are, or undefined where they are no text. */
export function textKind(head: Uint8Array, name: string): FileKindName | undefined {
  // Tabs, line ends, form feeds and everything from the space on; DEL and the other controls are in no text.
  if (head.some((byte) => (byte < 0x20 && !(byte >= 0x09 && byte <= 0x0d)) || byte === 0x7f)) return undefined
  const text = latin1(head).replace(/^\u00ef\u00bb\u00bf/, '').trimStart()
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
