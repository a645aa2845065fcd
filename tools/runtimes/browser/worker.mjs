import { asked, tell, workHere } from './in-browser.mjs'

await tell(asked, await workHere(asked.host).catch((error) => ({ error: String(error) })))
