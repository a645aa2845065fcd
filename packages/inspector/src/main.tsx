import { render } from 'preact'
import { App } from './app/app.js'
import { startTheme } from './app/theme.js'
import './styles/inspector.css'

const root = document.getElementById('app')
startTheme()
if (root !== null) render(<App />, root)
