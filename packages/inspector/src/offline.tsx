// The same page as one script: see vite.config.ts.
import './main.js'
