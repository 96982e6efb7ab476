/** Node's arguments in front of the server's own. */
export const nodeArguments = [
  // Notes on features that are still called experimental are no news to whom the terminal belongs.
  '--disable-warning=ExperimentalWarning',
  // What is set in the environment wins over the file.
  '--env-file-if-exists=.env',
]
export const serverEntry = 'server/main.ts'
