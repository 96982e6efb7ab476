// Objects of the fake Stripe are checked against the types that Stripe publishes with its library, for the pinned API
// version. They may lack fields, but none has a different name or an invalid value.
import type { Stripe } from 'stripe'

/** A subset of the fields, at every level. */
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
