"""Files become models, models become numbers; what is wrong or suspicious."""
