// Shown to everyone while there is no admin. It does not contain the setup code, which is only in the server's output.
import { ScreenLink } from '../../base/navigation/screen-link.tsx'
import { BottomLine } from './bottom-line.tsx'
import { setupPath } from '#contract/setup.ts'

export function NoOwnerLine() {
  return (
    <BottomLine label="Set-up">
      This service has no owner yet. Open the link that the server printed at startup.{' '}
      <ScreenLink to={setupPath}>Where is it?</ScreenLink>
    </BottomLine>
  )
}
