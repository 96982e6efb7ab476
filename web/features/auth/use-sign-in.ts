// Signing in, with messages for the user.
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { signIn } from '../../base/session/session.ts'
import { showToast } from '../../base/ui/overlays/toast-store.ts'

/** Returns a mutation that signs the user in. The screen navigates away as soon as there is a session. */
export function useSignIn(onSecondFactor: () => void) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: ({ email, password }: { email: string; password: string }) =>
      signIn(queryClient, email, password),
    onSuccess: (isSignedIn) => (isSignedIn ? showWelcome() : onSecondFactor()),
    onError: (error) => showToast({ tone: 'destructive', title: 'Error', message: error.message }),
  })
}

export function showWelcome(): void {
  showToast({
    tone: 'success',
    title: 'Welcome back!',
    message: "You've successfully signed in.",
  })
}
