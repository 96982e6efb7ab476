// The two-factor setup page in the back office. Its code loads only for admins who need it.
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
