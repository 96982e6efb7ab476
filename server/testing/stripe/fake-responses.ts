// Responses of the fake Stripe.

export interface FakeResponse {
  status: number
  body: object
}

export const errorBody = (code: string) => ({
  error: { type: 'invalid_request_error', code, message: 'secret words' },
})
