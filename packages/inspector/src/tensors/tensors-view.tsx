import type { Route } from '../app/route.js'
import type { OpenedFile } from '../model/opened-file.js'
import { Notice } from '../ui/parts.js'
import { TensorGrid } from './tensor-grid.js'
import { TensorPage } from './tensor-page.js'

/** The list of tensors, and beside it the one that was chosen. */
export function TensorsView({ file, route }: { readonly file: OpenedFile; readonly route: Route }) {
  const selected = selectedOf(file, route.tensor)
  const missing = route.tensor !== undefined && selected === undefined
  return (
    <div class={`tensors-view${selected === undefined ? '' : ' with-tensor'}`}>
      {selected === undefined ? <h1 class="visually-hidden">Tensors</h1> : null}
      <TensorGrid file={file} find={route.find ?? ''} sort={route.sort} selected={selected} />
      {missing ? (
        <Notice kind="note" title="There is no such tensor">
          The link names one that this file does not have.
        </Notice>
      ) : null}
      {selected === undefined ? null : (
        <TensorPage key={selected} file={file} tensor={file.tensors.at(selected)} route={route} />
      )}
    </div>
  )
}

function selectedOf({ tensors }: OpenedFile, key: string | undefined): number | undefined {
  if (key === undefined) return undefined
  const index = tensors.indexOf(key)
  if (index !== -1) return index
  const place = /^#(\d+)$/.exec(key)?.[1]
  return place !== undefined && Number(place) < tensors.length ? Number(place) : undefined
}
