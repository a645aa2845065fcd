import { useEffect } from 'preact/hooks'
import { verifySource, type Verified } from 'kiln-format'
import { faultOf } from '../model/fault.js'
import type { OpenedFile } from '../model/opened-file.js'
import { plural } from '../ui/format.js'
import { Progress, Section } from '../ui/parts.js'
import { useWork } from '../ui/use-work.js'
import { CheckList } from './check-list.js'
import { FaultNotice } from './fault-notice.js'

/** Goes through all of a Kiln file when asked: what opening it leaves out, since it would have to read every byte. */
export function Verification({ file }: { readonly file: OpenedFile }) {
  const { work, start, stop } = useWork<Verified>((signal, progress) =>
    verifySource(file.source, {
      schemas: 'inherit',
      signal,
      onProgress: (passed, total) => progress(total === 0 ? 1 : passed / total),
    }),
  )
  useEffect(stop, [file])

  const action =
    work.state === 'busy' ? (
      <button type="button" onClick={stop}>
        Cancel
      </button>
    ) : work.state === 'done' ? null : (
      <button type="button" onClick={start}>
        Verify
      </button>
    )
  return (
    <Section title="Every byte" aside={action}>
      <div aria-live="polite">
        {work.state === 'idle' ? (
          <p class="quiet-text">Checksums and gaps: all of the file is read. Nothing leaves your browser.</p>
        ) : null}
        {work.state === 'busy' ? <Progress share={work.share} label="Verifying the file" /> : null}
        {work.state === 'failed' ? <FaultNotice fault={faultOf(work.error)} kiln={true} /> : null}
        {work.state === 'done' ? <CheckList checks={found(work.value)} /> : null}
      </div>
    </Section>
  )
}

function found({ checksums }: Verified): string[] {
  return [
    checksums === 0 ? 'The file has no checksums to compare' : `${plural(checksums, 'checksum')} compared, none differs`,
    'Gaps between payloads are zero',
  ]
}
