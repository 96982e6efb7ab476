// The two-factor setup page in the back office. The code of this page loads only for admins who must set up two-factor.
import { lazy, Suspense, type ComponentProps } from 'react'
import { ScreenSkeleton } from '../../base/navigation/screen-skeleton.tsx'

const SecondFactorPage = lazy(async () => ({
  default: (await import('../../features/profile/second-factor-page.tsx')).SecondFactorPage,
}))

export function SecondFactorSlot(props: ComponentProps<typeof SecondFactorPage>) {
  return (
    <Suspense fallback={<ScreenSkeleton />}>
      <SecondFactorPage {...props} />
    </Suspense>
  )
}
