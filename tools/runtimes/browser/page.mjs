import { throws } from '../hosts.mjs'
import { asked, tell, workHere } from './in-browser.mjs'

async function pageWork() {
  const element = document.createElement('div')
  const typed = throws(() => {
    element.innerHTML = '<b>text</b>'
  })
  if (!typed) throw new Error('the page does not ask for Trusted Types')
  return workHere(asked.host)
}

await tell(asked, await pageWork().catch((error) => ({ error: String(error) })))
