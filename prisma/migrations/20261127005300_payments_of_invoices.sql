-- no-transaction
-- Which payments paid an invoice: each of its events and each return asks so, and the primary key begins with the payment.
CREATE INDEX CONCURRENTLY IF NOT EXISTS "invoice_payments_provider_provider_payment_id_idx" ON "invoice_payments" ("provider", "provider_payment_id");
