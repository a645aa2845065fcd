import { prepare, throws } from '../hosts.mjs'
import { work } from '../work.mjs'

const { searchParams } = new URL(location.href)

/** What the address asks for: the kind of host, and under which number to answer. */
export const asked = { host: searchParams.get('host'), id: searchParams.get('id') }

/** Gives the outcome to the server: a driver's own channel would need the `eval` that is taken away here. */
export async function tell({ id }, outcome) {
  await fetch(`/outcome/${id}`, { method: 'POST', body: JSON.stringify(outcome) })
}

/** The address of each module and case file, as the server tells it. */
const found = async () => (await fetch('/found.json')).json()

/** All the work, in a page or a Worker. The policy has to be in force, or this says nothing about it. */
export async function workHere(host) {
  // eslint-disable-next-line no-new-func -- it has to throw
  if (!throws(() => new Function('return 1'))) throw new Error('the policy lets text be code')
  const { modules, caseFiles } = await found()
  Error.stackTraceLimit = 0
  prepare(host)
  const files = await Promise.all(
    caseFiles.map(async (name) => ({ name, text: await (await fetch(`/${name}`)).text() })),
  )
  return work(files, (name) => import(`/${modules[name]}`))
}
