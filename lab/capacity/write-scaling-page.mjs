// `npm run scaling`: writes the tables of docs/scaling.md anew.
import { readFileSync, writeFileSync } from 'node:fs'
import { scalingPage, withTables } from './scaling-page.mjs'

writeFileSync(scalingPage, withTables(readFileSync(scalingPage, 'utf8')))
