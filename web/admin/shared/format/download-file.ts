// Downloads a file through the browser, which streams it to the disk regardless of its size.
import { checkConfirmation } from '#contract/sessions.ts'
import { call, endpointUrl } from '../../../base/api/api.ts'

/** First checks whether the user must re-authenticate: the browser's own request couldn't prompt for it. */
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
