// Mutations of the member's own profile.
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { sendConfirmation } from '#contract/auth.ts'
import { openBillingPortal } from '#contract/billing.ts'
import { updateProfile } from '#contract/profiles.ts'
import type { CallInput } from '#contract/endpoint.ts'
import { ApiError, call } from '../../base/api/api.ts'
import { requestPasswordReset, sessionQuery } from '../../base/session/session.ts'
import { showError } from '../../base/api/show-error.ts'
import { showToast } from '../../base/ui/overlays/toast-store.ts'

/** Updates the profile on every screen immediately. The caller shows the success message. */
export function useUpdateProfile() {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (body: CallInput<typeof updateProfile>['body']) => call(updateProfile, { body }),
    onSuccess: (profile) => queryClient.setQueryData(sessionQuery.queryKey, profile),
  })
}

export function useResetPassword(email: string) {
  return useMutation({
    mutationFn: () => requestPasswordReset(email, '/'),
    onSuccess: () =>
      showToast({
        tone: 'success',
        title: 'Password reset email sent',
        message: 'Check your email for the password reset link.',
      }),
    onError: (error) => showError(error, 'Failed to send password reset email.'),
  })
}

/** @param redirectTo where the user continues after following the link */
export function useSendConfirmation(redirectTo = '/profile') {
  return useMutation({
    mutationFn: () => call(sendConfirmation, { body: { redirectTo } }),
    onSuccess: () =>
      showToast({
        tone: 'success',
        title: 'Confirmation email sent',
        message: 'Open the link in it, then come back here.',
      }),
    onError: (error) => showError(error),
  })
}

/** Opens Stripe's billing portal. If Stripe is not set up, shows that the portal is not available yet. */
export function useBillingPortal() {
  return useMutation({
    async mutationFn() {
      const { url } = await call(openBillingPortal, {})
      window.location.assign(url)
    },
    onError(error) {
      if (error instanceof ApiError && error.code === 'stripe_not_configured') {
        showToast({
          title: 'Coming Soon',
          message: 'Stripe integration will be enabled soon. Stay tuned!',
        })
      } else showError(error)
    },
  })
}
