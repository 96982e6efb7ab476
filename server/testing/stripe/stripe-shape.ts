// Objects of the stand-in are checked against the types that Stripe publishes with its library, for the API version that
// it is pinned to. They have fewer fields, but none with another name or another value.
import type { Stripe } from 'stripe'

/** Some of the fields, at every depth. */
export type Part<T> = T extends string
  ? T
  : T extends readonly (infer Item)[]
    ? Part<Item>[]
    : T extends object
      ? { [Key in keyof T]?: Part<T[Key]> | undefined }
      : T

export type StripeEventType = Stripe.Event['type']

/** `data` of an event of this type. */
export type EventData<Type extends StripeEventType> = Part<
  Extract<Stripe.Event, { type: Type }>['data']
>

export type FakeSubscription = Part<Stripe.Subscription>
export type FakeInvoice = Part<Stripe.Invoice>
export type FakeCharge = Part<Stripe.Charge>
export type FakeRefund = Part<Stripe.Refund>
export type FakeDispute = Part<Stripe.Dispute>
export type FakeSession = Part<Stripe.Checkout.Session>
export type FakeCoupon = Part<Stripe.Coupon>
export type FakePaymentMethod = Part<Stripe.PaymentMethod>
