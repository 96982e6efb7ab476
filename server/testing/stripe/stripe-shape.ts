// Types for the objects of the fake Stripe, from the types that Stripe publishes with its library for the pinned API
// version. An object may lack fields, but must not have unknown names or invalid values.
import type { Stripe } from 'stripe'

/** The type with all fields optional, at every level. */
export type Part<T> = T extends string
  ? T
  : T extends readonly (infer Item)[]
    ? Part<Item>[]
    : T extends object
      ? { [Key in keyof T]?: Part<T[Key]> | undefined }
      : T

export type StripeEventType = Stripe.Event['type']

/** The type of `data` in events of this type. */
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
