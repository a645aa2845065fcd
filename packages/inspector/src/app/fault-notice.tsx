import { CODE_WORDS } from '../model/fault.js'
import type { Fault } from '../model/opened-file.js'
import { countText, shown } from '../ui/format.js'
import { Facts, Notice } from '../ui/parts.js'
import { go } from './link.js'
import { linkTo } from './route.js'

/** A failing check in words, with its byte and its rule. */
export function FaultNotice(props: { readonly fault: Fault; readonly kiln: boolean }) {
  const { code, detail, path, byte, rule } = props.fault
  const words = code === undefined ? 'The file can’t be shown' : (CODE_WORDS[code] ?? code)
  return (
    <Notice kind="fault" title={words}>
      <p>{shown(detail)}</p>
      <Facts
        rows={[
          ...(code === undefined ? [] : [['Failing check', <code>{code}</code>] as const]),
          ...(path === '' ? [] : [['Where', <code>{shown(path)}</code>] as const]),
          ...(byte === undefined
            ? []
            : [
                [
                  'Byte',
                  props.kiln ? (
                    <a
                      href={linkTo({ view: 'bytes', byte: String(byte) })}
                      onClick={go({ view: 'bytes', byte: String(byte) })}
                    >
                      {countText(byte)}
                    </a>
                  ) : (
                    countText(byte)
                  ),
                ] as const,
              ]),
          ...(rule === undefined ? [] : [['Rule', rule] as const]),
        ]}
      />
    </Notice>
  )
}
