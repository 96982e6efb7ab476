// `npm run scaling`: regenerates the tables of docs/scaling.md.
import { readFileSync, writeFileSync } from 'node:fs'
import { scalingPage, withTables } from './scaling-page.mjs'

writeFileSync(scalingPage, withTables(readFileSync(scalingPage, 'utf8')))
