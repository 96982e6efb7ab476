// A notice on the landing page that links the owner of a new service to its setup.
import { ScreenLink } from '../../base/navigation/screen-link.tsx'
import { BottomLine } from '../../features/setup/bottom-line.tsx'
import { countOpenSteps, useOverview } from './overview-queries.ts'

export function SetupReminder() {
  const { data } = useOverview()
  const left = data && !data.setup.is_hidden ? countOpenSteps(data.setup) : 0
  if (left === 0) return null
  return (
    <BottomLine label="Set-up">
      {left === 1 ? 'One step' : `${left} steps`} left to set up your service.{' '}
      <ScreenLink to="/admin">Open Overview</ScreenLink>
    </BottomLine>
  )
}
