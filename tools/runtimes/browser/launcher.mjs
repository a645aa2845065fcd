// The Worker is under the strict policy of its own answer; the page that starts it can't be, because the address of a
// Worker is what Trusted Types keep.
const worker = new Worker(`/tools/runtimes/browser/worker.mjs${location.search}`, { type: 'module' })

worker.onerror = ({ message }) => {
  const id = new URL(location.href).searchParams.get('id')
  void fetch(`/outcome/${id}`, {
    method: 'POST',
    body: JSON.stringify({ error: message ?? 'the Worker did not start' }),
  })
}
