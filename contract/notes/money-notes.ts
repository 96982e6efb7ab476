// Fields of cancellations, refunds, promotion codes and gifts, see field-notes.ts.
import type { FieldNotes } from './field-notes.ts'

export const moneyNotes: FieldNotes = {
  amount_off_cents: ['What is taken off, in hundredths of the currency.', 500],
  is_first_time_only: ['Only for people who have not paid before.', true],
  max_uses: ['How often it can be used. Null: no limit.', 50],
  promotion_code: ['A promotion code.', 'SPRING25'],
  promotion_code_id: ['The id of the code at Stripe.', 'promo_1Q2w3E4r'],
  cancels: ['It ends and does not renew.', false],
  comment: ['In their own words.', 'I will be back in spring.'],
  counts: ['How often each reason was given.'],
  ends_at_once: ['Canceling ends it at once.', false],
  feedback: ['Why.', 'too_expensive'],
  months: ['For how many months.', 3],
  percent_off: ['What is taken off, in percent.', 25],
  recent: ['The latest ones.'],
  failure: ['Why it was refused. Null: it was not.', null],
  is_refundable: ['It can be refunded through Stripe.', true],
  payment_id: ['The id of the payment.'],
  reason: ['Why.', 'requested_by_customer'],
  refunded_cents: ['What was refunded of it.', 0],
  when: ['At once, or at the end of what is paid.', 'period_end'],
  retention_months: ['For how many months the offer to stay lasts.', 3],
  retention_offer: ['What staying is offered for. Null: there is no offer.', null],
  retention_percent: ['The offer to stay, in percent off. 0: none.', 0],
}
