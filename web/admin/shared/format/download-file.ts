// Lets the browser download a file, because it writes files of any size to disk as they arrive.
import { checkConfirmation } from '#contract/sessions.ts'
import { call, endpointUrl } from '../../../base/api/api.ts'

/** Asks for a needed confirmation first, because the browser's own request can't do that. */
export async function downloadFile(
  path: string,
  query: Record<string, unknown>,
  filename: string,
): Promise<void> {
  await call(checkConfirmation, {})
  const link = document.createElement('a')
  link.href = endpointUrl(path, { query })
  link.download = filename
  document.body.append(link)
  link.click()
  link.remove()
}
